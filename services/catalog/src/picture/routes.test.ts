import { createHash } from 'node:crypto'
import { getPicture, uploadPicture } from '@portal/contracts/catalog/http'
import { maxPictureBytes } from '@portal/contracts/catalog/picture'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHarness, type Harness } from '../../testing/harness.ts'
import { encodePicture } from './encode-picture.ts'
import { pictureLimit } from './routes.ts'

let harness: Harness

beforeAll(async () => {
  harness = await startHarness({ processes: 2 })
})
afterAll(() => harness.stop())

const picture = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c03' } })
const base64 = (file: Buffer) => file.toString('base64')
const upload = async (file: Buffer) => {
  const { data } = await harness.call(uploadPicture, { as: 'admin', body: { file: base64(file) } })
  return data.url.replace('/pictures/', '')
}
const refused = (file: string) => harness.refuse(uploadPicture, { as: 'admin', body: { file } })

describe('pictures', () => {
  it('of every type are served as WebP, forever and without sniffing', async () => {
    for (const type of ['png', 'jpeg', 'webp'] as const) {
      const id = await upload(await picture(300, 200).toFormat(type).toBuffer())
      const answer = await harness.raw(getPicture, { id })
      expect([type, answer.statusCode]).toEqual([type, 200])
      expect(answer.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        etag: `"${id}"`,
      })
      expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 300, height: 200 })

      const again = await harness.raw(getPicture, { id, headers: { 'if-none-match': `W/"${id}"` } })
      expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
    }
  })

  it('have the same address for the same file, and are recorded once', async () => {
    const file = await picture(10, 10).png().toBuffer()
    const before = await harness.recorded()
    const [one, two] = await Promise.all([upload(file), upload(file)])
    const three = await upload(file)
    expect([two, three]).toEqual([one, one])
    expect(one).toBe(createHash('sha256').update(file).digest('hex').slice(0, 32))
    const added = (await harness.recorded()).slice(before.length)
    expect(added.map(({ type }) => type)).toEqual(['PictureAdded'])
  })

  it('lose their metadata, stand upright, and are scaled down', async () => {
    const photo = await picture(2400, 1200)
      .withExif({ IFD0: { Copyright: 'Secret place' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const id = await upload(photo)
    const { rawPayload } = await harness.raw(getPicture, { id })
    const { exif, width, height, orientation } = await sharp(rawPayload).metadata()
    expect({ exif, width, height, orientation }).toEqual({ width: 800, height: 1600 })
  })

  it('cannot be of other types, damaged or missing', async () => {
    const isOther = [415, 'A picture must be a PNG, JPEG or WebP file']
    const isDamaged = [400, 'This file is damaged or is not a picture']
    const files: readonly (readonly [file: string, refusal: readonly unknown[]])[] = [
      [base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')), isOther],
      [base64(Buffer.from('GIF89a')), isOther],
      [base64(Buffer.from('<!doctype html>')), isOther],
      [base64(Buffer.from('RIFF0000WAVE')), isOther],
      [base64(Buffer.from('\x89PNG\r\n\x1a\nnothing', 'latin1')), isDamaged],
      ['', isDamaged],
      ['ä', isDamaged],
    ]
    const answers: unknown[] = []
    for (const [file] of files) {
      const { status, message } = await refused(file)
      answers.push([file, [status, message]])
    }
    expect(answers).toEqual(files)
  })

  it('are at most 512 kB, as a file and unpacked', async () => {
    const large = Buffer.concat([await picture(9, 9).png().toBuffer(), Buffer.alloc(maxPictureBytes)])
    expect(await refused(base64(large.subarray(0, maxPictureBytes + 1)))).toMatchObject({ status: 413 })
    expect(await encodePicture(large)).toMatchObject({ ok: false, error: { code: 'payload-too-large' } })
    const bomb = await picture(8000, 6000).png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.length).toBeLessThan(maxPictureBytes)
    expect(await refused(base64(bomb))).toMatchObject({ status: 400 })
  })

  it('do not exist under another id', async () => {
    for (const id of ['0'.repeat(32), 'none', '../programs']) {
      const { status, message } = await harness.refuse(getPicture, { id })
      expect([id, status, message]).toEqual([id, 404, 'Picture not found'])
    }
  })

  it('are limited per admin and hour', async () => {
    const other = await startHarness()
    try {
      for (let count = 0; count < pictureLimit.max; count += 1) {
        await other.refuse(uploadPicture, { as: 'admin', body: { file: 'AAAA' } })
      }
      const { status, message } = await other.refuse(uploadPicture, { as: 'admin', body: { file: 'AAAA' } })
      expect([status, message]).toEqual([429, 'Too many pictures uploaded. Please try again in 60 minutes.'])
    } finally {
      await other.stop()
    }
  })
})
