export const total = (prices: number[]) => prices.reduce((a, b) => a + b);
