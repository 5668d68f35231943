import { pictureTooLarge, pictureUnreadable, pictureUnsupported } from '@portal/contracts/catalog/errors'
import { maxPictureBytes } from '@portal/contracts/catalog/picture'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { ApiError } from '@portal/platform/http/handler'

/** px. A larger picture is scaled down: no screen of the product shows more. */
const maxSide = 1600
/** A small file can unpack to gigabytes. */
const maxInputPixels = 40_000_000
const quality = 82

const startsWith = (file: Buffer, bytes: string, at = 0): boolean =>
  file.subarray(at, at + bytes.length).toString('latin1') === bytes

/** Checks the first bytes, so that no other decoder of the library sees an uploaded file. */
const isSupported = (file: Buffer): boolean =>
  startsWith(file, '\x89PNG\r\n\x1a\n') ||
  startsWith(file, '\xff\xd8\xff') ||
  (startsWith(file, 'RIFF') && startsWith(file, 'WEBP', 8))

type EncodedPicture = { readonly bytes: Buffer; readonly width: number; readonly height: number }

/** Loaded with the first upload: the library takes a while, and most processes never need it. */
const loadSharp = async () => (await import('sharp')).default

/** A WebP of the file's pixels, upright. Metadata, such as where a photo was taken, and later frames are left out. */
export const encodePicture = async (file: Buffer): Promise<Result<EncodedPicture, ApiError>> => {
  if (file.length > maxPictureBytes) return rejected(pictureTooLarge)
  if (!isSupported(file)) return rejected(pictureUnsupported)
  const sharp = await loadSharp()
  try {
    const { data, info } = await sharp(file, { limitInputPixels: maxInputPixels, failOn: 'error' })
      .autoOrient()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .webp({ quality })
      .timeout({ seconds: 10 })
      .toBuffer({ resolveWithObject: true })
    if (data.length > maxPictureBytes) return rejected(pictureTooLarge)
    return ok({ bytes: data, width: info.width, height: info.height })
  } catch {
    // The library reports every damaged file as an error with a text of its own.
    return rejected(pictureUnreadable)
  }
}
