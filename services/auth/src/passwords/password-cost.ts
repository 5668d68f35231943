export type PasswordCost = { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: number }

/** argon2id at the cost that OWASP recommends: 19 MiB, two passes, one lane. Raising it rehashes at the next log-in. */
export const recommendedPasswordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
