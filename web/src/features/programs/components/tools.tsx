import { styled } from '@mui/material/styles'
import type { Tool } from '@portal/contracts/catalog/program'
import { useState } from 'react'

type Size = 'small' | 'large'

const Frame = styled('span', { shouldForwardProp: (prop) => prop !== 'size' })<{ size: Size }>(({ theme, size }) => {
  const sidePx = size === 'small' ? theme.portal.sizes.target : 52
  return {
    flex: 'none',
    display: 'grid',
    placeItems: 'center',
    width: sidePx,
    height: sidePx,
    overflow: 'hidden',
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: theme.portal.radii.control,
    fontFamily: theme.typography.h1.fontFamily,
    fontSize: size === 'small' ? '1.125rem' : '1.375rem',
    fontWeight: 650,
    color: theme.vars.palette.primary.main,
    background: theme.vars.palette.portal.accentSoft,
    '& img': {
      width: '100%',
      height: '100%',
      objectFit: 'contain',
      padding: theme.spacing(1),
      // Logos are designed for a white background.
      background: theme.vars.palette.common.white,
    },
  }
})

const firstLetter = (name: string): string => ([...name.trim()][0] ?? '').toUpperCase()

type ToolLogoProps = { readonly tool: Pick<Tool, 'name' | 'logoUrl'>; readonly size?: Size }

/** The logo of a tool, or its first letter if the logo is missing or broken. It is decorative: the name is beside it. */
export const ToolLogo = ({ tool: { name, logoUrl }, size = 'large' }: ToolLogoProps) => {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  return (
    <Frame size={size} aria-hidden="true">
      {logoUrl === '' || brokenUrl === logoUrl ? (
        firstLetter(name)
      ) : (
        <img
          src={logoUrl}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBrokenUrl(logoUrl)}
        />
      )}
    </Frame>
  )
}

const Grid = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(76px, 1fr))',
  gap: theme.spacing(5, 2),
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& li': {
    ...theme.typography.caption,
    display: 'grid',
    justifyItems: 'center',
    alignContent: 'start',
    gap: theme.spacing(2),
    textAlign: 'center',
    fontWeight: 500,
    overflowWrap: 'anywhere',
  },
}))

export const ToolsGrid = ({ tools }: { tools: readonly Tool[] }) => (
  <Grid>
    {tools.map((tool) => (
      <li key={tool._id}>
        <ToolLogo tool={tool} />
        <span>{tool.name}</span>
      </li>
    ))}
  </Grid>
)
