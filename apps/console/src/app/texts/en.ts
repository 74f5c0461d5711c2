import antd from 'antd/es/locale/en_US'
import { en as common } from '../../shared/locales/en.ts'
import { byNamespace, type EarlyTexts } from './early-texts.ts'

const features = import.meta.glob<object>('../../features/*/locales/en.ts', { eager: true, import: 'en' })

/** Texts in English that are needed before any page is opened. */
export const early: EarlyTexts = { antd, texts: { common, ...byNamespace(features) } }
