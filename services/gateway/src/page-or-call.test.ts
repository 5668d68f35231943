import { pagePaths } from '@portal/contracts/shared/page-paths'
import { isReservedPath } from '@portal/contracts/shared/reserved-paths'
import { describe, expect, it } from 'vitest'
import { routeTable } from '@portal/contracts/route-table'
import { isPageOnly } from './page-or-call.ts'

const concrete = (path: string): string => path.replaceAll(/:\w+/g, '0198')
const reads = Object.values(routeTable)
  .flat()
  .filter(({ method }) => method === 'GET')

describe('a path', () => {
  it('is that of a page alone, except for these, which a call has too', () => {
    expect(pagePaths.filter((path) => !isPageOnly(concrete(path)))).toEqual([
      '/admin/programs',
      '/admin/programs/new',
      '/admin/programs/:id/learners',
      '/admin/people',
      '/admin/people/:userId',
      '/notifications/unsubscribe',
    ])
  })

  it('of a call is never that of a page alone', () => {
    expect(reads.length).toBeGreaterThan(20)
    expect(reads.map(({ path }) => path).filter((path) => isPageOnly(concrete(path)))).toEqual([])
  })

  it('of a page is never reserved', () => {
    expect(pagePaths.filter((path) => isReservedPath(concrete(path)))).toEqual([])
  })

  it.each(['/Home', '/home/', '/notification/0198/', '/Program-Details-Active/0198'])(
    'is compared as the router of the client compares it: %s',
    (path) => {
      expect(isPageOnly(path)).toBe(true)
    },
  )

  it.each(['/', '/homes', '/home/x', '/notification/1/2', '/notifications', '/program-details-active/', '/x/home'])(
    'that no page has is none of a page: %s',
    (path) => {
      expect(isPageOnly(path)).toBe(false)
    },
  )
})
