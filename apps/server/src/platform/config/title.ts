import { z } from 'zod'

/** Variables of what the console shows as its title and logo. */
export const titleEnvironment = {
  ISOTHERM_COMPANY_TITLE: z
    .string()
    .trim()
    .min(1, 'is blank')
    .max(60, 'has more than 60 characters')
    .optional()
    .describe("Name of the company in the console's title"),
  ISOTHERM_COMPANY_LOGO: z
    .string()
    .min(1)
    .optional()
    .describe("The company's logo: an SVG, PNG, WebP or JPEG file of at most 512 kB"),
  ISOTHERM_SIDEBAR_LOGO: z
    .enum(['0', '1', '2'], 'is not 0, 1 or 2')
    .default('1')
    .describe("Logo in the sidebar: 0 none, 1 the company's, 2 the product's (specification, section 9)"),
} as const
