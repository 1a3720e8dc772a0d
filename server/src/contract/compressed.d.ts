/** Texts that are kept in files, as base64 of what the platform's gzip makes of them. */
export declare function compressed(text: string): Promise<string>;
/** Rejects for what is not compressed. */
export declare function decompressed(text: string): Promise<string>;
