import * as auth from '@portal/contracts/auth/http'
import * as catalog from '@portal/contracts/catalog/http'
import * as heldSends from '@portal/contracts/notifications/held-send'
import * as notifications from '@portal/contracts/notifications/http'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const isRoute = (value: unknown): value is AnyRoute =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

it('docs/security.md names every route by its access, and no other', () => {
  const markdown = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
  const [, table = ''] = /<!-- routes:begin -->([^]*)<!-- routes:end -->/.exec(markdown) ?? []
  const rows = table.split('\n').map((row) => row.replaceAll(/ +/g, ' '))
  const contracts: readonly unknown[] = [auth, catalog, notifications, heldSends].flatMap((module) =>
    Object.values(module),
  )
  for (const access of ['public', 'signed-in', 'admin']) {
    const row = rows.find((each) => each.startsWith(`| ${access} |`)) ?? ''
    const documented = [...row.matchAll(/`([^`]+)`/g)].map(([, route = '']) => route)
    const routes = contracts.filter(isRoute).filter((route) => route.access === access)
    expect(documented.toSorted(), `a route for ${access} callers is missing in the table, or is no more`).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).toSorted(),
    )
  }
})
