import { styled } from '@mui/material/styles'
import type { Tool } from '@portal/contracts/catalog/program'
import { useState } from 'react'

const Frame = styled('span')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  width: 52,
  height: 52,
  overflow: 'hidden',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.portal.radii.control,
  fontFamily: theme.typography.h1.fontFamily,
  fontSize: '1.375rem',
  fontWeight: 650,
  color: theme.vars.palette.primary.main,
  background: theme.vars.palette.portal.accentSoft,
  '& img': { width: '100%', height: '100%', objectFit: 'contain' },
}))

const firstLetter = (name: string): string => ([...name.trim()][0] ?? '').toUpperCase()

/** A tool's logo, or its first letter where the picture is broken. Decoration: the name stands beneath it. */
export const ToolLogo = ({ tool }: { tool: Pick<Tool, 'name' | 'logoUrl'> }) => {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const { name, logoUrl } = tool
  return (
    <Frame aria-hidden="true">
      {logoUrl === '' || brokenUrl === logoUrl ? (
        firstLetter(name)
      ) : (
        <img
          src={logoUrl}
          alt=""
          width={52}
          height={52}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBrokenUrl(logoUrl)}
        />
      )}
    </Frame>
  )
}
