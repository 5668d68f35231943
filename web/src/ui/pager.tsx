import ButtonBase from '@mui/material/ButtonBase'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { Pagination } from '@portal/contracts/shared/page'
import { ChevronLeftIcon, ChevronRightIcon } from './icons.tsx'

type PagerEntry = { readonly kind: 'page'; readonly page: number } | { readonly kind: 'gap'; readonly before: number }

/** The first and last page, and the current page with its neighbors. A gap replaces omitted pages. */
export const pagerEntries = (page: number, totalPages: number): readonly PagerEntry[] => {
  const wanted = [1, page - 1, page, page + 1, totalPages].filter((one) => one >= 1 && one <= totalPages)
  const shown = [...new Set(wanted)].toSorted((a, b) => a - b)
  return shown.flatMap((one, index): PagerEntry[] => {
    const entry = { kind: 'page', page: one } as const
    return one - (shown[index - 1] ?? 0) > 1 ? [{ kind: 'gap', before: one }, entry] : [entry]
  })
}

/** 'Showing 11 to 20 of 42 notifications'. */
export const rangeText = (
  { page, limit, total }: { readonly page: number; readonly limit: number; readonly total: number },
  noun: string,
): string => {
  const from = Math.min((page - 1) * limit + 1, total)
  return `Showing ${from} to ${Math.min(page * limit, total)} of ${total} ${noun}`
}

const Nav = styled('nav')(({ theme }) => ({
  display: 'grid',
  justifyItems: 'center',
  gap: theme.spacing(2),
  paddingBlock: theme.spacing(5),
  fontVariantNumeric: 'tabular-nums',
  '& ol': { display: 'flex', alignItems: 'center', margin: 0, padding: 0, listStyle: 'none' },
}))

const PageButton = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.subtitle2,
  minWidth: theme.portal.sizes.target,
  minHeight: theme.portal.sizes.target,
  padding: theme.spacing(0, 1),
  borderRadius: theme.portal.radii.control,
  fontVariantNumeric: 'tabular-nums',
  color: theme.vars.palette.text.secondary,
  '&:hover': { color: theme.vars.palette.text.primary, background: theme.vars.palette.action.hover },
  '&[aria-current="page"]': {
    color: theme.vars.palette.text.primary,
    boxShadow: `inset 0 -2px 0 ${theme.vars.palette.primary.main}`,
    borderRadius: 0,
  },
}))

type PagerProps = {
  readonly pagination: Pagination
  readonly noun: string
  readonly onPage: (page: number) => void
}

export const Pager = ({ pagination, noun, onPage }: PagerProps) => {
  const { page, totalPages, total } = pagination
  if (total === 0) return null
  return (
    <Nav aria-label="Pages">
      {totalPages > 1 && (
        <ol>
          <li>
            <IconButton aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
              <ChevronLeftIcon size={20} />
            </IconButton>
          </li>
          {pagerEntries(page, totalPages).map((entry) =>
            entry.kind === 'gap' ? (
              <li key={`gap-${entry.before}`} aria-hidden="true">
                …
              </li>
            ) : (
              <li key={entry.page}>
                <PageButton
                  aria-label={`Page ${entry.page}`}
                  aria-current={entry.page === page ? 'page' : undefined}
                  onClick={() => onPage(entry.page)}
                >
                  {entry.page}
                </PageButton>
              </li>
            ),
          )}
          <li>
            <IconButton aria-label="Next page" disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
              <ChevronRightIcon size={20} />
            </IconButton>
          </li>
        </ol>
      )}
      <Typography variant="caption" color="textSecondary">
        {rangeText(pagination, noun)}
      </Typography>
    </Nav>
  )
}
