import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { freePort, isFree, reserve } from './free-port.ts'

it('a port is not given twice, and a server can listen on it', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  expect(new Set(ports).size).toBe(50)
  for (const port of ports) expect(await reserve(port)).toBe(false)
  const server = createServer().listen(ports[0], '127.0.0.1')
  await once(server, 'listening')
  expect(await isFree(ports[0] ?? 0)).toBe(false)
  server.close()
})

it('a port is not given to another process until the one that holds it has ended', async () => {
  const helper = join(import.meta.dirname, 'free-port.ts')
  const run = async (script: string) => {
    const source = `import { freePort, reserve } from ${JSON.stringify(helper)}; console.log(${script})`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source])
    return stdout.trim()
  }
  expect(await run(`await reserve(${await freePort()})`)).toBe('false')
  expect(await reserve(Number(await run('await freePort()')))).toBe(true)
})
