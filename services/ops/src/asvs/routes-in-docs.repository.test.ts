import * as auth from '@portal/contracts/auth/http'
import * as catalog from '@portal/contracts/catalog/http'
import * as notifications from '@portal/contracts/notifications/http'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const isRoute = (value: unknown): value is AnyRoute =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

const documented = (access: string): readonly string[] => {
  const markdown = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
  const [, table = ''] = /<!-- routes:begin -->([^]*)<!-- routes:end -->/.exec(markdown) ?? []
  const row = table.split('\n').find((line) => line.replaceAll(/ +/g, ' ').startsWith(`| ${access} |`)) ?? ''
  return [...row.matchAll(/`([^`]+)`/g)].map(([, route = '']) => route)
}

it.each(['public', 'signed-in', 'admin'])(
  'docs/security.md names every route for %s callers, and no other',
  (access) => {
    const contracts: readonly unknown[] = [auth, catalog, notifications].flatMap((module) => Object.values(module))
    const routes = contracts.filter(isRoute).filter((route) => route.access === access)
    expect(documented(access).toSorted(), 'a route is missing in the table of docs/security.md, or is no more').toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).toSorted(),
    )
  },
)
