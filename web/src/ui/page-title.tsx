import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { atom, useAtomValue } from 'jotai'
import { ChevronLeftIcon } from './icons.tsx'

/** The number of unread items, shown before the title of the browser tab. */
export const tabBadgeCountAtom = atom(0)

/** At most three characters: '99+' above 99. */
export const countText = (count: number): string => (count > 99 ? '99+' : String(count))

const Head = styled('header')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(1, 4),
  minHeight: theme.portal.sizes.target,
  marginBottom: theme.spacing(5),
  // A button without a ground ends where the text below it does.
  '& > .MuiButton-text': { marginRight: theme.spacing(-3) },
}))

/** The control stands beside the heading, not in it: the heading reads as the title and nothing else. */
const Titled = styled('div')({ display: 'flex', alignItems: 'flex-start', minWidth: 0 })

export const productName = 'Minor Programs'

type PageTitleProps = {
  readonly title: string
  /** What the browser's tab reads, where the title would be no name for it. */
  readonly tabTitle?: string
  readonly actions?: ReactNode
  /** The list that this page belongs to: a control before the title, which stays where it is on every screen. */
  readonly back?: { readonly to: string; readonly label: string }
}

/** The screen's title and, beside it, what can be done to all of it. Also the title of the browser's tab. */
export const PageTitle = ({ title, tabTitle = title, actions, back }: PageTitleProps) => {
  const waiting = useAtomValue(tabBadgeCountAtom)
  return (
    <Head>
      <title>{`${waiting > 0 ? `(${countText(waiting)}) ` : ''}${tabTitle} · ${productName}`}</title>
      <Titled>
        {back && (
          <IconButton
            component={Link}
            to={back.to}
            aria-label={`Back to ${back.label}`}
            sx={{ margin: '-4px 0 -4px -14px', flex: 'none' }}
          >
            <ChevronLeftIcon weight={2} />
          </IconButton>
        )}
        <Typography variant="h1">{title}</Typography>
      </Titled>
      {actions}
    </Head>
  )
}
