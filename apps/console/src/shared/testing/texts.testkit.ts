import { changeLanguage, i18n, startI18n, type Texts } from '../i18n/i18n.ts'
import { LANGUAGE_KEY, type Language } from '../i18n/language.ts'
import { en } from '../locales/en.ts'
import { zh } from '../locales/zh.ts'

const files = import.meta.glob<Readonly<Record<string, object>>>(
  '../../features/*/locales/{zh,en,pages.zh,pages.en}.ts',
  { eager: true },
)
const common: Readonly<Record<Language, object>> = { zh, en }

/** All texts of one language. The page texts of a feature include its menu texts. */
function readTexts(language: Language): Texts {
  const texts: Record<string, object> = { common: common[language] }
  for (const [path, file] of Object.entries(files)) {
    const namespace = path.split('/').at(-3) ?? path
    if (file[language]) texts[namespace] = { ...texts[namespace], ...file[language] }
  }
  return texts
}

const loadTexts = async (language: Language): Promise<Texts> => readTexts(language)

/** Activates a language with the texts of all features. */
export async function loadTestTexts(language: Language): Promise<void> {
  localStorage.setItem(LANGUAGE_KEY, language)
  if (i18n.isInitialized) await changeLanguage(language)
  else await startI18n(loadTexts)
}
