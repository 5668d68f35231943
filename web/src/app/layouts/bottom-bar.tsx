import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import type { IconProps } from '../../ui/icons.tsx'

/** Sticks to the bottom of the window, together with the offline notice. */
const StickyFooter = styled('div')(({ theme }) => ({
  position: 'sticky',
  bottom: 0,
  zIndex: theme.zIndex.appBar,
  '--below-notice': '0px',
}))

const Bar = styled('nav')(({ theme }) => ({
  display: 'grid',
  // Keep the items within reach of a thumb on wide pages, too.
  gridTemplateColumns: `repeat(4, minmax(0, ${theme.portal.sizes.column / 4}px))`,
  justifyContent: 'center',
  background: theme.vars.palette.background.paper,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  paddingBottom: 'env(safe-area-inset-bottom)',
  [theme.breakpoints.up(theme.portal.sizes.wideLanding)]: { '&[data-narrow-only]': { display: 'none' } },
  // Five labels need columns as wide as their text.
  '&.many': {
    gridTemplateColumns: 'none',
    gridAutoFlow: 'column',
    gridAutoColumns: `minmax(${theme.portal.sizes.target}px, auto)`,
    justifyContent: 'space-evenly',
  },
}))

const hidden = { position: 'absolute', clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden' } as const

const Item = styled(Link)(({ theme }) => ({
  display: 'grid',
  justifyItems: 'center',
  alignContent: 'center',
  gap: 2,
  minHeight: 'var(--bottom-bar)',
  fontSize: theme.typography.caption.fontSize,
  lineHeight: 18 / 13,
  fontWeight: 500,
  textDecoration: 'none',
  color: theme.vars.palette.text.secondary,
  outlineOffset: '-4px !important',
  borderRadius: theme.portal.radii.control,
  '&[aria-current="page"]': { color: theme.vars.palette.primary.main, fontWeight: 700 },
  // Reserve the width of the bold label, so that nothing moves when the item becomes active.
  '& .label::after': {
    content: 'attr(data-text)',
    display: 'block',
    height: 0,
    overflow: 'hidden',
    visibility: 'hidden',
    fontWeight: 700,
  },
  // Where the labels do not fit, only assistive technology reads them.
  [theme.portal.shortWindow]: { '& .label': hidden },
  [theme.breakpoints.down(theme.portal.sizes.smallPhone)]: { '.many &:not([aria-current]) .label': hidden },
}))

const IconWithBadge = styled('span')({ position: 'relative', display: 'block', height: 24 })

export type BarItem = {
  readonly to: string
  readonly label: string
  readonly icon: (props: IconProps) => ReactNode
  readonly isActive: (path: string) => boolean
  readonly badge?: ReactNode
}

type BottomBarProps = {
  readonly label: string
  readonly items: readonly BarItem[]
  /** The offline notice, which sticks to the window above the bar. */
  readonly notice?: ReactNode
  readonly hidesOnWideScreens?: boolean
}

/** The main places of the portal within reach of a thumb. */
export const BottomBar = ({ label: name, items, notice, hidesOnWideScreens = false }: BottomBarProps) => {
  const { pathname } = useLocation()
  return (
    <StickyFooter>
      {notice}
      <Bar
        aria-label={name}
        className={items.length > 4 ? 'many' : undefined}
        data-narrow-only={hidesOnWideScreens || undefined}
      >
        {items.map(({ to, label, icon: Glyph, isActive, badge }) => {
          const active = isActive(pathname)
          return (
            <Item key={to} to={to} aria-current={active ? 'page' : undefined}>
              <IconWithBadge>
                <Glyph weight={active ? 2.25 : 1.75} />
                {badge}
              </IconWithBadge>
              <span className="label" data-text={label}>
                {label}
              </span>
            </Item>
          )
        })}
      </Bar>
    </StickyFooter>
  )
}
