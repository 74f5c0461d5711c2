import { campaignZh } from './campaign.zh.ts'

/** Texts of balancing. */
export const zh = {
  ...campaignZh,
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    balancing: typeof zh
  }
}
