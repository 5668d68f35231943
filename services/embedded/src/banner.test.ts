import { describe, expect, it } from 'vitest'
import { banner } from './banner.ts'

const address = 'http://localhost:3000'
const firstAdmin = { email: 'admin@example.com', password: 'kRf7-Tq2m', isPasswordGenerated: true }

describe('the start', () => {
  it('says where the portal is, and nothing else of one in use', () => {
    expect(banner({ address, firstAdmin: undefined, isEmpty: false })).toBe(`\n  Portal is running at ${address}\n\n`)
  })

  it('says of an empty portal how it is filled, in one line', () => {
    const lines = banner({ address, firstAdmin, isEmpty: true }).split('\n')
    expect(lines.filter((line) => line.includes('make seed'))).toEqual([
      '  It is empty. Stop it and run `make seed` to fill it with sample data.',
    ])
  })

  it('says what a portal was filled with, behind the first admin', () => {
    const learners = { created: 3, existing: 0, firstEmail: 'first@example.com', lastEmail: 'last@example.com' }
    const text = banner({ address, firstAdmin, isEmpty: false, filled: { password: 'Learners-2026', learners } })
    expect(text.indexOf('kRf7-Tq2m')).toBeLessThan(text.indexOf('Sample data'))
    expect(text).toContain('3 learners, first@example.com to last@example.com')
    expect(text).toContain('Password: Learners-2026')
  })
})
