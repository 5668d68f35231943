import { Icon, type IconProps } from './icon.tsx'

export const DashboardIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 20V11M9.3 20V5M14.7 20v-6.5M20 20V8.5" />
  </Icon>
)
