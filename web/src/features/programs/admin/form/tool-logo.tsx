import { styled } from '@mui/material/styles'
import { useState } from 'react'

const Frame = styled('span')(({ theme }) => ({
  flex: 'none',
  display: 'grid',
  placeItems: 'center',
  width: theme.portal.sizes.target,
  height: theme.portal.sizes.target,
  overflow: 'hidden',
  borderRadius: theme.portal.radii.control,
  border: `1px solid ${theme.vars.palette.divider}`,
  fontFamily: theme.typography.h1.fontFamily,
  fontSize: '1.125rem',
  fontWeight: 650,
  color: theme.vars.palette.primary.main,
  background: theme.vars.palette.portal.accentSoft,
  // Logos are drawn for white paper.
  '&:has(img)': { background: theme.vars.palette.common.white },
  '& img': { width: '100%', height: '100%', objectFit: 'contain', padding: theme.spacing(1) },
}))

const firstLetter = (name: string): string => ([...name.trim()][0] ?? '').toUpperCase()

type ToolLogoProps = { readonly name: string; readonly logoUrl: string }

/** A tool's logo; its first letter where there is none or it cannot be shown. The name stands beside it. */
export const ToolLogo = ({ name, logoUrl }: ToolLogoProps) => {
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <Frame aria-hidden="true">
      {logoUrl === '' || broken === logoUrl ? (
        firstLetter(name)
      ) : (
        <img src={logoUrl} alt="" onError={() => setBroken(logoUrl)} />
      )}
    </Frame>
  )
}
