import { styled } from '@mui/material/styles'
import { useState } from 'react'

/** Pictures are drawn for white paper. */
const Picture = styled('img')(({ theme }) => ({ background: theme.vars.palette.common.white }))

type FactPictureProps = { readonly url: string; readonly className?: string }

/** A fact's picture. One that cannot be had leaves its place to the words. */
export const FactPicture = ({ url, className }: FactPictureProps) => {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  if (url === '' || url === brokenUrl) return null
  return (
    <Picture
      className={className}
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBrokenUrl(url)}
    />
  )
}
