import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode, Ref } from 'react'
import { Link } from 'react-router-dom'
import { atom, useAtomValue } from 'jotai'
import { ChevronLeftIcon } from './icons.tsx'
import { languageOf } from './text-language.ts'

/** The number of unread items, shown before the title of the browser tab. */
export const tabBadgeCountAtom = atom(0)

/** The count as at most three characters: '99+' above 99. */
export const countText = (count: number): string => (count > 99 ? '99+' : String(count))

const Head = styled('header')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(2, 4),
  minHeight: theme.portal.sizes.target,
  marginBottom: theme.spacing(5),
  // Aligns the text of a text button with the texts below, also on a line of its own.
  '& > .MuiButton-text': { marginInline: theme.spacing(-3) },
}))

/** The back button is outside the heading, so that screen readers read only the title. */
const Titled = styled('div')({
  display: 'flex',
  alignItems: 'flex-start',
  minWidth: 0,
  // A title can be one long word.
  '& h1': { minWidth: 0, overflowWrap: 'anywhere' },
})

export const productName = 'Minor Programs'

type PageTitleProps = {
  readonly title: string
  /** The title of the browser tab, if it differs from the heading. */
  readonly tabTitle?: string
  readonly actions?: ReactNode
  /** The heading, to which a page moves the focus when a focused control disappears. */
  readonly headingRef?: Ref<HTMLHeadingElement>
  /** The list that this page belongs to. Adds a back button before the title. */
  readonly back?: { readonly to: string; readonly label: string }
}

/** The heading of a page with its actions. Also sets the title of the browser tab. */
export const PageTitle = ({ title, tabTitle = title, actions, headingRef, back }: PageTitleProps) => {
  const unread = useAtomValue(tabBadgeCountAtom)
  return (
    <Head>
      <title>{`${unread > 0 ? `(${countText(unread)}) ` : ''}${tabTitle} · ${productName}`}</title>
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
        <Typography variant="h1" lang={languageOf(title)} {...(headingRef && { ref: headingRef, tabIndex: -1 })}>
          {title}
        </Typography>
      </Titled>
      {actions}
    </Head>
  )
}
