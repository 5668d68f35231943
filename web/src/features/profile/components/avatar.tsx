import { styled } from '@mui/material/styles'

const Disc = styled('span')(({ theme }) => ({
  flex: 'none',
  display: 'grid',
  placeItems: 'center',
  width: 72,
  height: 72,
  borderRadius: '50%',
  fontFamily: theme.typography.h1.fontFamily,
  fontSize: '1.5rem',
  fontWeight: 650,
  color: theme.vars.palette.primary.main,
  background: theme.vars.palette.portal.accentSoft,
}))

const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

export const Avatar = ({ name }: { name: string }) => <Disc aria-hidden="true">{initialsOf(name)}</Disc>
