import antd from 'antd/es/locale/zh_CN'
import { zh as common } from '../../shared/locales/zh.ts'
import { byNamespace, type EarlyTexts } from './early-texts.ts'

const features = import.meta.glob<object>('../../features/*/locales/zh.ts', { eager: true, import: 'zh' })

/** Texts in Chinese that are needed before any page is opened. */
export const early: EarlyTexts = { antd, texts: { common, ...byNamespace(features) } }
