/** argon2id at the cost that OWASP recommends: 19 MiB, two passes, one lane. Raising it rehashes at the next log-in. */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
