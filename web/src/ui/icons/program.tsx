import { Icon, type IconProps } from './icon.tsx'

export const ProgramIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 6.6C10 5 7.4 4.5 4 4.5v13.4c3.4 0 6 .5 8 2.1 2-1.6 4.6-2.1 8-2.1V4.5c-3.4 0-6 .5-8 2.1zM12 6.6V20" />
  </Icon>
)
