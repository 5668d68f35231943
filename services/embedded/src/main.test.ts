import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { logIn } from '@portal/contracts/auth/http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'main-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The portal as its own process, with these settings and no others. */
const start = (settings: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOST: '127.0.0.1',
      PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { out: '', error: '' }
  child.stdout.on('data', (chunk: Buffer) => void (printed.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (printed.error += chunk.toString()))
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, ...printed }))
  return {
    printed,
    ended,
    running: async (): Promise<string> => {
      const address = await vi.waitFor(
        () => {
          const found = /Portal is running at (http:\/\/localhost:\d+)/.exec(printed.out)?.[1]
          if (found === undefined) throw new Error(`It is not running:\n${printed.out}${printed.error}`)
          return found
        },
        { timeout: 20_000, interval: 20 },
      )
      return address.replace('localhost', '127.0.0.1')
    },
    stop: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      return ended
    },
  }
}

const canLogIn = async (address: string, personalEmail: string, password: string): Promise<boolean> => {
  const { method, path } = logIn
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ personalEmail, password }),
  })
  return response.ok
}

describe.concurrent(
  'the process',
  () => {
    it('shows the first admin once, keeps to it, and ends cleanly on a signal', async () => {
      const settings = { DATA_DIR: join(folder, 'first') }
      const first = start(settings)
      const address = await first.running()
      const [, email = '', password = ''] = await vi.waitFor(() => {
        const shown = /E-mail: +(\S+)\n +Password: +(\S+)/.exec(first.printed.out)
        if (!shown) throw new Error(first.printed.out)
        return shown
      })
      expect(await canLogIn(address, email, password)).toBe(true)
      expect(await first.stop('SIGINT')).toMatchObject({ code: 0, error: '' })

      const second = start(settings)
      const again = await second.running()
      expect(await canLogIn(again, email, password)).toBe(true)
      const { code, out, error } = await second.stop('SIGTERM')
      expect({ code, error }).toEqual({ code: 0, error: '' })
      expect(out).not.toContain('Password')
    })

    it('takes the first admin from the settings, and its data folder for itself', async () => {
      const settings = {
        DATA_DIR: join(folder, 'shared'),
        ADMIN_EMAIL: 'dean@example.com',
        ADMIN_PASSWORD: 'Convocation-26',
      }
      const portal = start(settings)
      expect(await canLogIn(await portal.running(), 'dean@example.com', 'Convocation-26')).toBe(true)
      expect(await start(settings).ended).toEqual({
        code: 1,
        signal: null,
        out: '',
        error: `The data folder ${settings.DATA_DIR} is in use by another process\n`,
      })
      await portal.stop('SIGTERM')
    })

    it('says in one line that the port is taken, and shows no password that the next start would not know', async () => {
      const taken = createServer().listen(0, '127.0.0.1')
      await once(taken, 'listening')
      const address = taken.address()
      const port = typeof address === 'object' && address !== null ? String(address.port) : ''
      const settings = { DATA_DIR: join(folder, 'busy') }
      expect(await start({ ...settings, PORT: port }).ended).toEqual({
        code: 1,
        signal: null,
        out: '',
        error: `Port ${port} is in use by another process: stop that one, or choose another port (PORT)\n`,
      })
      taken.close()
      const portal = start(settings)
      await portal.running()
      await vi.waitFor(() => expect(portal.printed.out).toMatch(/Password: +\S/))
      await portal.stop('SIGTERM')
    })

    it('says in one line that the data folder cannot be written', async () => {
      const path = join(folder, 'locked')
      mkdirSync(path)
      chmodSync(path, 0o500)
      // Root may write anywhere but where there is no place for a file.
      const unwritable = process.getuid?.() === 0 ? '/proc/portal' : join(path, 'data')
      const { code, error } = await start({ DATA_DIR: unwritable }).ended
      expect(code).toBe(1)
      expect(error).toMatch(/^The data folder \S+ cannot be written \(.+\)\n$/)
    })

    it('says in one line which setting will not do', async () => {
      const { code, error } = await start({ PORT: '80a', DATA_DIR: join(folder, 'never') }).ended
      expect({ code, error }).toEqual({ code: 1, error: 'PORT must be a whole number from 0 to 65535, not "80a"\n' })
    })
  },
  60_000,
)
