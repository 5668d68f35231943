import { styled } from '@mui/material/styles'
import { useState } from 'react'

const Disc = styled('span')(({ theme }) => ({
  flex: 'none',
  display: 'grid',
  placeItems: 'center',
  overflow: 'hidden',
  width: 72,
  height: 72,
  borderRadius: '50%',
  fontFamily: theme.typography.h1.fontFamily,
  fontSize: theme.portal.pieces.initials,
  fontWeight: 650,
  color: theme.vars.palette.primary.main,
  background: theme.vars.palette.portal.accentSoft,
  '& img': { width: '100%', height: '100%', objectFit: 'cover' },
}))

const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

type AvatarProps = { readonly name: string; readonly image: string }

/** The picture where there is one that can be had; else the initials. */
export const Avatar = ({ name, image }: AvatarProps) => {
  const [brokenImage, setBrokenImage] = useState<string | null>(null)
  return (
    <Disc aria-hidden="true">
      {image === '' || image === brokenImage ? (
        initialsOf(name)
      ) : (
        <img src={image} alt="" referrerPolicy="no-referrer" onError={() => setBrokenImage(image)} />
      )}
    </Disc>
  )
}
