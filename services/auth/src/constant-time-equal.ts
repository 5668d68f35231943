import { timingSafeEqual } from 'node:crypto'

/** Compares in constant time, so that the duration does not reveal how much matched. */
export const constantTimeEqual = (expected: string, actual: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(actual)]
  return a.length === b.length && timingSafeEqual(a, b)
}
