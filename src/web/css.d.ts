/** A style sheet as a text, minified (build.mjs). */
declare module '*.css' {
  const style: string
  export default style
}
