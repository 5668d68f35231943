import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const root = join(import.meta.dirname, '../..')
const ruleSchema = z.object({ alert: z.string(), annotations: z.object({ description: z.string() }) })
const { groups } = z
  .object({ groups: z.array(z.object({ rules: z.array(ruleSchema) })) })
  .parse(parse(readFileSync(join(import.meta.dirname, 'alerts.yml'), 'utf8')))

/** What an operator is told to type or to search for. */
const quoted = groups
  .flatMap(({ rules }) => rules)
  .map(({ alert, annotations }) => ({
    alert,
    texts: [...annotations.description.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
  }))

const targets = new Set(
  [...readFileSync(join(root, 'Makefile'), 'utf8').matchAll(/^([a-z-]+):/gm)].map(([, target]) => target),
)
const isCommand = (text: string): boolean => text.startsWith('make ')
const isRoute = (text: string): boolean => text.startsWith('/')
const securityEvent = /^"event":"([a-z-]+)"$/

const servicesFolder = join(root, 'services')
const sources = readdirSync(servicesFolder)
  .flatMap((service) =>
    readdirSync(join(servicesFolder, service), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(servicesFolder, service, file),
    ),
  )
  .filter((file) => file.includes('/src/') && file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(file, 'utf8'))

it('each alert names what shows its cause: a command, or lines of a log', () => {
  expect(quoted.filter(({ texts }) => texts.length === 0)).toEqual([])
})

it('the commands exist, and the lines are in the code', () => {
  const unknown = quoted
    .flatMap(({ texts }) => texts)
    .filter((text) => {
      if (isCommand(text)) return !targets.has(text.split(' ')[1])
      if (isRoute(text)) return false
      const line = securityEvent.exec(text)?.[1] ?? text
      return !sources.some((source) => source.includes(`'${line}'`))
    })
  expect(unknown).toEqual([])
})
