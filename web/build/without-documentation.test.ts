import { expect, it } from 'vitest'
import { stripDocumentation } from './without-documentation.ts'

const sources: Readonly<Record<string, string>> = import.meta.glob('../../contracts/src/*/http.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})

it.each(['auth', 'catalog', 'notifications'])(
  'leaves summaries, errors and headers of %s out, and nothing else',
  (context) => {
    const source = sources[`../../contracts/src/${context}/http.ts`] ?? ''
    const stripped = stripDocumentation(source)
    const fieldsIn = (text: string) => [...text.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)
    const isDocumentation = (name: string | undefined) => ['summary', 'errors', 'headers'].includes(name ?? '')
    expect(fieldsIn(source).filter(isDocumentation).length).toBeGreaterThan(8)
    expect(fieldsIn(stripped)).toEqual(fieldsIn(source).filter((name) => !isDocumentation(name)))
    for (const line of stripped.split('\n')) expect(source).toContain(line)
  },
)
