import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { adminItems, Brand, Content, Frame, Item, Links, Rail } from '../../src/app/layouts/admin-frame.tsx'
import { BottomBar } from '../../src/app/layouts/bottom-bar.tsx'
import { Logo } from '../../src/ui/brand.tsx'
import { Block, Title } from './outlines.tsx'

const Wide = styled('div')(({ theme }) => ({
  display: 'none',
  [theme.breakpoints.up('md')]: { display: 'contents' },
}))
const Narrow = styled('div')(({ theme }) => ({
  display: 'contents',
  [theme.breakpoints.up('md')]: { display: 'none' },
}))
/** As tall as the button of the account. */
const Account = styled('div')(({ theme }) => ({ height: theme.portal.sizes.target }))
const Stack = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(6) }))

/**
 * Any page of the admin panel: a rail, or a bottom bar on a phone, and two blocks. The script of the shell writes the title
 * (show-shell.ts): the label of the page's link.
 */
export const AdminShell = () => (
  <>
    <Frame>
      <Rail>
        <Brand to="/admin/dashboard">
          <Logo size={24} />
          Admin Panel
        </Brand>
        <Wide>
          <Links>
            {adminItems.map(({ to, label, icon: Glyph }) => (
              <Item key={to} to={to}>
                <Glyph size={20} />
                {label}
              </Item>
            ))}
          </Links>
        </Wide>
        <Account />
      </Rail>
      <Content as="div">
        <Title>
          <Typography variant="h1" data-title />
        </Title>
        <Stack>
          <Block size={['100%', 96]} />
          <Block size={['100%', 96]} />
        </Stack>
      </Content>
    </Frame>
    <Narrow>
      <BottomBar label="Admin" items={adminItems} />
    </Narrow>
  </>
)
