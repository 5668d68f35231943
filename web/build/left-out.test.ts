// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { neverRun, stubOf } from './left-out.ts'

const inMaterial = (path: string) => new URL(path, import.meta.resolve('@mui/material/ButtonBase'))
const inZod = (path: string) => new URL(path, import.meta.resolve('zod/v4/core'))
const files = [
  inZod('to-json-schema.js'),
  inZod('json-schema-processors.js'),
  inMaterial('TouchRipple.mjs'),
  inMaterial('../CircularProgress/CircularProgress.mjs'),
]

const exportsOf = async (address: string): Promise<Readonly<Record<string, unknown>>> =>
  import(/* @vite-ignore */ address)

describe('what the build leaves out', () => {
  it.each(files.map((file) => [file.pathname.split('/').at(-1) ?? '', file] as const))(
    'keeps the exports of %s, and each of them says so when it runs',
    async (_name, file) => {
      const rule = neverRun.find(({ module }) => module.test(file.pathname))
      if (!rule) throw new Error(`No rule for ${file.pathname}`)
      const stub = stubOf(readFileSync(file, 'utf8'), rule)
      const left = await exportsOf(`data:text/javascript,${encodeURIComponent(stub)}`)
      expect(Object.keys(left).toSorted()).toEqual(Object.keys(await exportsOf(file.href)).toSorted())
      for (const [name, value] of Object.entries(left)) {
        if (typeof value !== 'function') throw new Error(`${name} is no function`)
        const run = () => (rule.makers?.includes(name) ? value()() : value())
        expect(run).toThrow(/^The build leaves this out, as .* in web\/build\/left-out\.ts$/)
      }
    },
  )
})
