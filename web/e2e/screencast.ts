import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

type Frame = { readonly atMs: number; readonly png: Buffer }

/** What a page showed, frame by frame. */
type Screencast = { readonly frames: readonly Frame[]; readonly endMs: number }

/** Records each change of the page until the returned function is called. */
export const recordPage = async (page: Page): Promise<() => Promise<Screencast>> => {
  const frames: Frame[] = []
  const add = (png: Buffer) => frames.push({ atMs: performance.now(), png })
  // A page that does not change sends no frame.
  add(await page.screenshot())
  const session = await page.context().newCDPSession(page)
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    add(Buffer.from(data, 'base64'))
    // A page that is closing needs no more frames.
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined)
  })
  await session.send('Page.startScreencast', { format: 'png' })
  return async () => {
    await session.send('Page.stopScreencast')
    return { frames, endMs: performance.now() }
  }
}

/** px. Where a recorded page is in the picture, and its size there. */
export type Place = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

const framesPerSecond = 10

/** A busy machine takes longer than the viewer has patience: what lasts longer is played faster. */
const maxMs = 9_500

/** A playlist for ffmpeg, in which each frame lasts until the next one. */
const writePlaylist = async (folder: string, name: string, { frames, endMs }: Screencast, startMs: number) => {
  const speed = Math.max(1, (endMs - startMs) / maxMs)
  const lines: string[] = []
  for (const [index, { atMs, png }] of frames.entries()) {
    const file = join(folder, `${name}-${index}.png`)
    await writeFile(file, png)
    const seconds = Math.max((frames[index + 1]?.atMs ?? endMs) - Math.max(atMs, startMs), 0) / 1000 / speed
    if (seconds > 0) lines.push(`file '${file}'`, `duration ${seconds.toFixed(3)}`)
    // ffmpeg ignores the duration of the last entry, so it is listed twice.
    if (index === frames.length - 1) lines.push(`file '${file}'`)
  }
  const path = join(folder, `${name}.txt`)
  await writeFile(path, lines.join('\n'))
  return path
}

const runFfmpeg = (args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const process = spawn('ffmpeg', ['-v', 'error', '-y', ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
    process.on('error', () =>
      reject(
        new Error('ffmpeg is needed for the recording, and was not found. Install it, such as: apt-get install ffmpeg'),
      ),
    )
    process.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`ffmpeg failed with exit code ${code}`))))
  })

/** Rejects with what to do if ffmpeg is missing. */
export const requireFfmpeg = (): Promise<void> => runFfmpeg(['-f', 'lavfi', '-i', 'nullsrc=d=0.1', '-f', 'null', '-'])

type Recorded = { readonly screencast: Screencast; readonly place: Place }

/** Writes the pages side by side into a GIF. The frame is a PNG of the picture's size with a hole for each page. */
export const writeGif = async (target: string, frame: Buffer, recorded: readonly Recorded[]): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'recording-'))
  try {
    const startMs = Math.max(...recorded.map(({ screencast }) => screencast.frames[0]?.atMs ?? 0))
    const framePath = join(folder, 'frame.png')
    await writeFile(framePath, frame)
    const inputs: string[] = ['-loop', '1', '-i', framePath]
    const filters = ['[0]format=rgba,split[over][under]']
    for (const [index, { screencast, place }] of recorded.entries()) {
      inputs.push('-f', 'concat', '-safe', '0', '-i', await writePlaylist(folder, `page-${index}`, screencast, startMs))
      const below = index === 0 ? 'under' : `with-${index - 1}`
      const { x, y, width, height } = place
      filters.push(
        `[${index + 1}]fps=${framesPerSecond},scale=${width}:${height}:flags=area[page-${index}]`,
        `[${below}][page-${index}]overlay=${x}:${y}:shortest=1[with-${index}]`,
      )
    }
    filters.push(
      `[with-${recorded.length - 1}][over]overlay=shortest=1,fps=${framesPerSecond},split[colors][shown]`,
      '[colors]palettegen=max_colors=160[palette]',
      '[shown][palette]paletteuse=dither=none:diff_mode=rectangle',
    )
    await runFfmpeg([...inputs, '-filter_complex', filters.join(';'), target])
  } finally {
    await rm(folder, { recursive: true })
  }
}
