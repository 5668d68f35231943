export { addressGroup } from '@portal/platform/http/address-group'
