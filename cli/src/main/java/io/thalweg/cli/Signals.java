// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;

/**
 * SIGINT (Ctrl-C), SIGTERM and SIGHUP as a call. A signal that the process was started to ignore, as nohup does with SIGHUP,
 * stays ignored: the JVM keeps it so. Java has no supported way to do this that lets the process end by itself:
 * shutdown hooks are not notified of a second signal. sun.misc.Signal, which the JDK keeps for such use in module
 * jdk.unsupported, is reached by reflection because the compiler warns of it in a way that cannot be turned off.
 */
public final class Signals {
    private Signals() {}

    /**
     * Calls {@code handler} with a signal's number, each on a thread of its own. Where signals cannot be had, the
     * process ends at the first one, as Java processes do.
     *
     * @return false if signals cannot be had
     */
    public static boolean handle(IntConsumer handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            InvocationHandler call = (proxy, method, arguments) -> {
                if (method.getDeclaringClass() != Object.class) {
                    handler.accept((Integer) signal.getMethod("getNumber").invoke(arguments[0]));
                    return null;
                }
                return switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> "Thalweg";
                };
            };
            Object proxy = Proxy.newProxyInstance(handlerType.getClassLoader(), new Class<?>[] {handlerType}, call);
            for (String name : new String[] {"INT", "TERM", "HUP"}) {
                Object one = signal.getConstructor(String.class).newInstance(name);
                signal.getMethod("handle", signal, handlerType).invoke(null, one, proxy);
            }
            return true;
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            return false; // another JVM, or signals taken by a debugger
        }
    }
}
