/** The company that the demo is about, as its title bar names it. */
export const demoTitle = '和源热力集团'
