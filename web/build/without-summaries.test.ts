import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withoutSummaries } from './without-summaries.ts'

it.each(['auth', 'catalog', 'notifications'])('the routes of %s lose their summaries, and nothing else', (context) => {
  const source = readFileSync(new URL(`../../contracts/src/${context}/http.ts`, import.meta.url), 'utf8')
  const short = withoutSummaries(source)
  const routes = source.match(/defineRoute\(/g)?.length ?? 0
  expect(routes).toBeGreaterThan(0)
  expect(short.match(/^ {2}summary:\s+'',$/gm)).toHaveLength(routes)
  const lines = (text: string) => text.split('\n').filter((line) => !/^ {2}summary:|^ {4}['"].*['"],$/.test(line))
  expect(lines(short)).toEqual(lines(source))
})
