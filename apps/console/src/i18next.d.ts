import 'i18next'

/**
 * Each namespace adds itself to i18next's ResourceNamespaceMap beside its Chinese texts
 * (features/<feature>/locales/zh.ts); here stand only the options that hold for all.
 */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
  }
}
