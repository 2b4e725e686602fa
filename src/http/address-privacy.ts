import { networkOf } from './client-ip.ts'

/** How much of a client's address others see: all of it, its network, or nothing. */
export const addressPrivacies = ['full', 'network', 'hidden'] as const
export type AddressPrivacy = (typeof addressPrivacies)[number]

/** An address as others see it; '' stays ''. */
export function showAddress(ip: string, privacy: AddressPrivacy): string {
  if (privacy === 'full') return ip
  return (privacy === 'network' && networkOf(ip)) || ''
}
