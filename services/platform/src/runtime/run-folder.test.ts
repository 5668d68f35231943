import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pidFileIn, writePidFile } from './run-folder.ts'

it('records the process id and the address until it ends, and keeps the file of another process', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pid-'))
  const file = pidFileIn(dataDir, 'gateway-1')
  const { serves, remove } = writePidFile(dataDir, 'gateway-1')
  expect(readFileSync(file, 'utf8')).toBe(`${process.pid}\n`)
  serves('http://localhost:4000')
  expect(readFileSync(file, 'utf8')).toBe(`${process.pid}\nhttp://localhost:4000\n`)
  writeFileSync(file, '1\n')
  remove()
  expect(readFileSync(file, 'utf8')).toBe('1\n')
  writePidFile(dataDir, 'gateway-1').remove()
  expect(() => readFileSync(file)).toThrow('ENOENT')
  rmSync(dataDir, { recursive: true })
})
