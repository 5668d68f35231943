import { styled, useTheme } from '@mui/material/styles'
import { Logo, Wordmark } from '../../ui/brand.tsx'
import { Measure } from './sections.tsx'

const Frame = styled('footer')(({ theme }) => ({
  position: 'relative',
  isolation: 'isolate',
  overflow: 'hidden',
  background: theme.vars.palette.portal.brand.background,
  color: theme.vars.palette.portal.brand.text,
  '& .wordmark, & .wordmark svg': { color: 'inherit' },
}))

const LargeMark = styled('div')(({ theme }) => ({
  position: 'absolute',
  zIndex: -1,
  top: '-40%',
  right: '-12%',
  color: theme.vars.palette.portal.brand.mark,
  transform: 'rotate(-12deg)',
  '& svg': { display: 'block' },
}))

const FooterContent = styled(Measure)(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  justifyContent: 'space-between',
  gap: theme.spacing(10),
  paddingBlock: theme.spacing(20, 10),
  '& p': { margin: 0, maxWidth: '44ch' },
}))

/** The logo and the institutions behind the program. */
export const Footer = () => (
  <Frame>
    <LargeMark>
      <Logo size={560} fold={useTheme().vars?.palette.portal.brand.fold ?? 'currentColor'} />
    </LargeMark>
    <FooterContent>
      <Wordmark size={32} />
      <p>
        A part-time Minor certificate of a continuing-education center, with a skills council, an implementation partner
        and partner universities.
      </p>
    </FooterContent>
  </Frame>
)
