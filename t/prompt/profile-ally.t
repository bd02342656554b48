#!/bin/sh
. "${0%/*}/profile.sh"
