import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { faculty, students, type Testimonial } from '../src/features/landing/content.ts'
import { frame, people, portraitSvg, type Moment, type Person } from './portrait.ts'

/**
 * `node web/media/make-clips.ts` generates the landing page's testimonials: a portrait (.svg), a clip (.webm and .mp4) and captions
 * (.vtt) for each, in web/public/media. The clips are silent animations that the browser records from a canvas, so the bytes differ
 * between runs. To use real recordings, replace the files under the same names.
 */
const folder = join(import.meta.dirname, '../public/media')
const framesPerSecond = 12
const durationMs = 6_000
const frames = (durationMs / 1000) * framesPerSecond
const bitsPerSecond = 600_000

const formats = [
  { ending: 'webm', type: 'video/webm;codecs=vp9' },
  { ending: 'mp4', type: 'video/mp4;codecs=avc1.42E01E' },
] as const

const wave = (turns: number, at: number) => Math.sin(at * turns * 2 * Math.PI)

/** Imitates speech by two overlaid rhythms of the mouth, with a rest at the beginning and the end. */
const momentAt = (at: number): Moment => {
  const speaks = at > 0.06 && at < 0.94
  return {
    tilt: 2.2 * wave(1.5, at),
    mouth: speaks ? Math.abs(wave(11, at)) * (0.55 + 0.45 * wave(3.5, at)) : 0,
    blink: [0.22, 0.58, 0.83].some((blinkAt) => Math.abs(at - blinkAt) < 0.012) ? 1 : 0,
    rise: 0.5 + 0.5 * wave(0.25, at),
  }
}

const clock = (ms: number) => `00:00:${(ms / 1000).toFixed(3).padStart(6, '0')}`

const captionsOf = ({ lines }: Testimonial): string => {
  const lineMs = durationMs / lines.length
  const cues = lines.map((line, n) => `${clock(n * lineMs)} --> ${clock((n + 1) * lineMs)} line:82%\n${line}`)
  return `WEBVTT\n\n${cues.join('\n\n')}\n`
}

type Recording = {
  readonly svgs: readonly string[]
  readonly type: string
  readonly size: typeof frame
  readonly framesPerSecond: number
  readonly bitsPerSecond: number
}

/** Runs in the browser. Draws all frames before recording, so that drawing does not delay a frame. */
const record = async (recording: Recording): Promise<string> => {
  const { svgs, type, size } = recording
  const canvas = Object.assign(document.createElement('canvas'), size)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser has no 2D canvas')
  const drawn: ImageBitmap[] = []
  for (const svg of svgs) {
    const image = new Image()
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
    await image.decode()
    context.drawImage(image, 0, 0)
    drawn.push(await createImageBitmap(canvas))
  }
  const stream = canvas.captureStream(0)
  const [track] = stream.getVideoTracks()
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: recording.bitsPerSecond })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const stopped = new Promise((resolve) => {
    recorder.onstop = resolve
  })
  recorder.start()
  for (const bitmap of drawn) {
    context.drawImage(bitmap, 0, 0)
    if (track instanceof CanvasCaptureMediaStreamTrack) track.requestFrame()
    await new Promise((resolve) => setTimeout(resolve, 1000 / recording.framesPerSecond))
  }
  recorder.stop()
  await stopped
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
}

const make = async (page: Page, person: Person, testimonial: Testimonial): Promise<void> => {
  const at = (ending: string) => join(folder, `${testimonial.clip}.${ending}`)
  await writeFile(at('svg'), portraitSvg(person))
  await writeFile(at('vtt'), captionsOf(testimonial))
  const svgs = Array.from({ length: frames }, (_, n) => portraitSvg(person, momentAt(n / (frames - 1))))
  for (const { ending, type } of formats) {
    const base64 = await page.evaluate(record, { svgs, type, size: frame, framesPerSecond, bitsPerSecond })
    const bytes = Buffer.from(base64, 'base64')
    await writeFile(at(ending), bytes)
    process.stdout.write(`${at(ending)}: ${Math.round(bytes.length / 1024)} KiB\n`)
  }
}

await mkdir(folder, { recursive: true })
const browser = await launchBrowser()
try {
  const page = await browser.newPage()
  for (const testimonial of [...students, ...faculty]) {
    const person = people.find(({ clip }) => clip === testimonial.clip)
    if (!person) throw new Error(`media/portrait.ts has no person for ${testimonial.clip}`)
    await make(page, person, testimonial)
  }
} finally {
  await browser.close()
}
