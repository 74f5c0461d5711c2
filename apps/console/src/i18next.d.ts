import 'i18next'

/**
 * Each namespace adds itself to i18next's ResourceNamespaceMap beside its Chinese texts
 * (features/<feature>/locales/zh.ts); this file has only the options common to all.
 */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
  }
}
