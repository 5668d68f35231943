import { describe, expect, it } from 'vitest'
import { aTool } from '../testing/programs.ts'
import { edited, isSameRows, moved, noRowChanges, withRowChanges, type RowChanges } from './row-changes.ts'
import type { ToolPart } from './program-values.ts'

const [one, two, three]: readonly ToolPart[] = [aTool(1), aTool(2), aTool(3)]
if (!one || !two || !three) throw new Error('Unreachable')
const rows = [one, two, three]

describe('changes of rows', () => {
  it('move a row by one position, and stop at the ends', () => {
    expect(moved(rows, two._id, -1)).toEqual([two, one, three])
    expect(moved(rows, two._id, 1)).toEqual([one, three, two])
    expect(moved(rows, one._id, -1)).toBe(rows)
    expect(moved(rows, three._id, 1)).toBe(rows)
    expect(moved(rows, 'none', 1)).toBe(rows)
  })

  it('edit one row and keep its id', () => {
    const fields = { name: 'Git', logoUrl: '/git.svg' }
    expect(edited(rows, two._id, fields)).toEqual([one, { _id: two._id, ...fields }, three])
  })

  it('are applied to newer rows of the server: added ones come last, removed ones stay away', () => {
    const changes: RowChanges<Omit<ToolPart, '_id'>> = {
      order: [three._id, one._id, two._id],
      fields: new Map([[one._id, { name: 'Git', logoUrl: '/git.svg' }]]),
    }
    const added: ToolPart = { _id: 'added', name: 'R', logoUrl: '/r.svg' }
    const shown = withRowChanges([one, two, added], changes)
    expect(shown).toEqual([{ _id: one._id, name: 'Git', logoUrl: '/git.svg' }, two, added])
    expect(isSameRows(shown, [one, two, added])).toBe(false)
    expect(isSameRows(withRowChanges(rows, noRowChanges), rows)).toBe(true)
  })
})
