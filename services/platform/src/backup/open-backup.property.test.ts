import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBackup } from './open-backup.ts'
import { sampleBackup, type SampleBackup } from '@portal/platform/testing/backup/sample-backup'

const flips = 200
let sample: SampleBackup
let sound: Buffer
beforeAll(async () => {
  sample = await sampleBackup(200)
  sound = await readFile(sample.file)
})
afterAll(() => sample.remove())

it('BK-3 a changed byte is detected at any offset', async () => {
  const path = join(sample.folder, 'flipped.backup')
  const place = fc.record({ offset: fc.nat(sound.length - 1), mask: fc.integer({ min: 1, max: 255 }) })
  await fc.assert(
    fc.asyncProperty(place, async ({ offset, mask }) => {
      const bytes = Buffer.from(sound)
      bytes.writeUInt8(bytes.readUInt8(offset) ^ mask, offset)
      await writeFile(path, bytes)
      expect(await openBackup(path)).toMatchObject({ ok: false, code: 'damaged' })
    }),
    { numRuns: flips },
  )
}, 60_000)

it('BK-3 a file truncated at any offset is rejected', async () => {
  const path = join(sample.folder, 'cut.backup')
  await fc.assert(
    fc.asyncProperty(fc.nat(sound.length - 1), async (length) => {
      await writeFile(path, sound)
      await truncate(path, length)
      const rejection = await openBackup(path)
      expect(rejection).toMatchObject({ ok: false, code: length < 512 ? 'not-a-backup' : 'incomplete' })
    }),
    { numRuns: 100 },
  )
}, 60_000)
