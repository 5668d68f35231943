import { styled } from '@mui/material/styles'
import { useState } from 'react'

/** Pictures are designed for a white background. */
const Picture = styled('img')(({ theme }) => ({ background: theme.vars.palette.common.white }))

type OptionalPictureProps = { readonly url: string; readonly className?: string }

/** A picture that says nothing which the text beside it does not; nothing if it is missing or broken. */
export const OptionalPicture = ({ url, className }: OptionalPictureProps) => {
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

/** A picture of any shape across the column. Its place is kept while it loads, so that the text below does not move. */
export const WidePicture = styled(OptionalPicture)(({ theme }) => ({
  display: 'block',
  width: '100%',
  maxWidth: theme.portal.measure,
  aspectRatio: '16 / 9',
  objectFit: 'contain',
  borderRadius: theme.portal.radii.control,
}))
