import { timingSafeEqual } from 'node:crypto'

/** In a time that says nothing about how much of it was right. */
export const constantTimeEqual = (expected: string, actual: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(actual)]
  return a.length === b.length && timingSafeEqual(a, b)
}
