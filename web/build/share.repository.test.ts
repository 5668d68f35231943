// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hero } from '../src/features/landing/content.ts'

const read = (path: string): Buffer => readFileSync(new URL(`../${path}`, import.meta.url))

/** The width and height in the header of a PNG file. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]

describe('a shared link', () => {
  const page = read('index.html').toString()

  it('shows the hero of the landing page as title, text and picture', () => {
    expect(page).toContain(`property="og:title" content="${hero.title.join(' ').replace(/\.$/, '')}"`)
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`property="og:description" content="${hero.lead}"`)
    expect(page).toContain('property="og:image" content="/share.png"')
    expect(page).toContain('name="twitter:card" content="summary_large_image"')
    expect(sizeOf(read('public/share.png'))).toEqual([1200, 630])
  })
})

describe('the installation', () => {
  it('has pictures of the sizes in the manifest, and an icon for clients that do not read the page', () => {
    expect(sizeOf(read('public/screenshots/narrow.png'))).toEqual([780, 1688])
    expect(sizeOf(read('public/screenshots/wide.png'))).toEqual([1280, 800])
    // The type of an icon file and the number of its images.
    expect([...read('public/favicon.ico').subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0])
  })
})
