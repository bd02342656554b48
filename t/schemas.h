/* Schemas of the unit tests. */
#ifndef SCHEMAS_H
#define SCHEMAS_H

#define OBJ "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},"\
	"\"b\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}},"       \
	"\"required\":[\"a\"],\"additionalProperties\":false}"
#define TREE "{\"$defs\":{\"n\":{\"type\":\"object\",\"properties\":{\"v\":"  \
	"{\"type\":\"number\"},\"kids\":{\"type\":\"array\",\"items\":"       \
	"{\"$ref\":\"#/$defs/n\"}}}}},\"$ref\":\"#/$defs/n\"}"

#endif
