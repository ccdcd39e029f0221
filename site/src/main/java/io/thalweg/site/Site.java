// SPDX-License-Identifier: Apache-2.0
package io.thalweg.site;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Renders the documents into a folder that has the Javadoc in {@code apidocs}, and fails if a link leads nowhere. */
public final class Site {
    private Site() {}

    /** @param arguments the root of the repository, and the folder of the site */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]).toRealPath();
        Path site = Path.of(arguments[1]).toRealPath();
        new Guide(root, site).write();
        List<String> broken = new LinkCheck(site).broken();
        if (!broken.isEmpty()) {
            throw new IllegalStateException("links of the site that lead nowhere:\n" + String.join("\n", broken));
        }
    }
}
