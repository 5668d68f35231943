import InputAdornment from '@mui/material/InputAdornment'
import { pictureTooLarge } from '@portal/contracts/catalog/errors'
import { maxPictureBytes } from '@portal/contracts/catalog/picture'
import { uploadPicture } from '@portal/contracts/catalog/picture-http'
import { useRef, useState } from 'react'
import { call } from '../lib/http.ts'
import { BusyButton } from './busy-button.tsx'

/** The bytes of a file; undefined if the browser cannot read it, for example because it was moved. */
const base64Of = (file: File): Promise<string | undefined> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('load', () =>
      resolve(typeof reader.result === 'string' ? reader.result.slice(reader.result.indexOf(',') + 1) : undefined),
    )
    reader.addEventListener('error', () => resolve(undefined))
    reader.readAsDataURL(file)
  })

type PictureUploadProps = {
  /** The address of the uploaded picture. */
  readonly onUploaded: (url: string) => void
  readonly onError: (message: string) => void
}

/** A button at the end of an address field that uploads a file and fills its address in. */
export const PictureUpload = ({ onUploaded, onError }: PictureUploadProps) => {
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)

  const upload = async (file: File) => {
    if (file.size > maxPictureBytes) return onError(pictureTooLarge.message)
    setBusy(true)
    const content = await base64Of(file)
    // The same file gets the same address, so that a retry is safe.
    const answer = content === undefined ? undefined : await call(uploadPicture, { body: { file: content } })
    setBusy(false)
    if (answer === undefined) return onError('The file could not be read')
    return answer.success ? onUploaded(answer.data.data.url) : onError(answer.message)
  }

  return (
    <InputAdornment position="end">
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        hidden
        data-upload=""
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same file can be chosen again.
          target.value = ''
          if (file) void upload(file)
        }}
      />
      <BusyButton
        variant="text"
        color="secondary"
        size="small"
        busy={busy}
        busyText="Uploading..."
        onClick={() => input.current?.click()}
      >
        Upload
      </BusyButton>
    </InputAdornment>
  )
}
