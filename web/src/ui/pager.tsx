import type { Pagination } from '@portal/contracts/shared/page'
import ButtonBase from '@mui/material/ButtonBase'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { ChevronLeftIcon, ChevronRightIcon } from './icons.tsx'
import { pagerEntries, rangeText } from './pager-model.ts'

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
