import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { faculty, students, type Testimonial } from '../src/features/landing/content.ts'
import { frame, people, portraitSvg, type Moment, type Person } from './portrait.ts'

/**
 * `node web/media/make-clips.ts` generates the landing page's testimonials: a portrait (.svg), a clip (.webm and .mp4) and captions
 * (.vtt) for each, in web/public/media. The clips are silent animations: the browser draws the frames, and ffmpeg, which must be
 * installed, encodes them. To use real recordings, replace the files under the same names.
 */
const folder = join(import.meta.dirname, '../public/media')
const framesPerSecond = 12
const durationMs = 6_000
const frames = (durationMs / 1000) * framesPerSecond

/** Constant quality: a fixed bit rate showed seams in the large plain areas. */
const encoders = {
  webm: ['-c:v', 'libvpx-vp9', '-b:v', '0', '-crf', '24', '-row-mt', '1'],
  mp4: ['-c:v', 'libx264', '-crf', '20', '-preset', 'veryslow', '-tune', 'animation', '-movflags', '+faststart'],
} as const

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

const numberOf = (n: number) => String(n).padStart(3, '0')

const drawFrames = async (page: Page, person: Person, into: string): Promise<void> => {
  for (let n = 0; n < frames; n++) {
    await page.setContent(`<style>body{margin:0}</style>${portraitSvg(person, momentAt(n / (frames - 1)))}`)
    await page.screenshot({ path: join(into, `${numberOf(n)}.png`) })
  }
}

const picture = ['-vf', 'scale=out_color_matrix=bt709', '-colorspace', 'bt709', '-pix_fmt', 'yuv420p']

/** Two runs with the same versions of browser and ffmpeg produce the same bytes. */
const reproducible = ['-threads', '1', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-map_metadata', '-1']

const encode = (from: string, target: string, encoder: readonly string[]) => {
  const input = ['-framerate', String(framesPerSecond), '-i', join(from, '%03d.png')]
  return promisify(execFile)('ffmpeg', ['-y', ...input, ...picture, ...encoder, ...reproducible, target])
}

const make = async (page: Page, person: Person, testimonial: Testimonial): Promise<void> => {
  const at = (extension: string) => join(folder, `${testimonial.clip}.${extension}`)
  await writeFile(at('svg'), portraitSvg(person))
  await writeFile(at('vtt'), captionsOf(testimonial))
  const drawn = await mkdtemp(join(tmpdir(), 'clip-'))
  try {
    await drawFrames(page, person, drawn)
    for (const [extension, encoder] of Object.entries(encoders)) await encode(drawn, at(extension), encoder)
  } finally {
    await rm(drawn, { recursive: true })
  }
  process.stdout.write(`${testimonial.clip}\n`)
}

await mkdir(folder, { recursive: true })
const browser = await launchBrowser()
try {
  const page = await browser.newPage({ viewport: frame })
  for (const testimonial of [...students, ...faculty]) {
    const person = people.find(({ clip }) => clip === testimonial.clip)
    if (!person) throw new Error(`media/portrait.ts has no person for ${testimonial.clip}`)
    await make(page, person, testimonial)
  }
} finally {
  await browser.close()
}
